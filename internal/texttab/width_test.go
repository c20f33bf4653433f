package texttab

import "testing"

// The widths of runes follow Unicode's East Asian Width.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "é": 1, "e\u0301": 1, "\x1b": 0, "μ": 1, "→": 1, "×": 1, "─": 1, "█": 1,
		"漢": 2, "か": 2, "한": 2, "ｱ": 1, "Ａ": 2, "￥": 2, "\u303f": 1, "ꥠ": 2, "𠀀": 2, "𗀀": 2,
		"⌚": 2, "⏳": 2, "☔": 2, "♿": 2, "⚡": 2, "⚽": 2, "⛔": 2, "✅": 2, "❌": 2, "❓": 2, "➕": 2, "⬛": 2, "⭐": 2,
		"🀄": 2, "🃏": 2, "🆎": 2, "🈁": 2, "😀": 2, "🚀": 2, "🟠": 2, "🟰": 2, "🤖": 2, "🥇": 2, "🧪": 2, "🩰": 2, "🪐": 2, "🫠": 2, "🫶": 2,
		"☀": 1, "✓": 1, "✗": 1, "★": 1, "❤": 1, "🌡": 1, "🏍": 1, "🖥": 1, // text by default
		"❤\ufe0f": 2, "🌡\ufe0f": 2, "⭐\ufe0f": 2, "1\ufe0f": 1, "\ufe0f": 0,
	} {
		if got := Width(text); got != want {
			t.Errorf("%q (%U) has %d cells, want %d", text, []rune(text), got, want)
		}
	}
}
