package protofile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/internal/nearest"
	"assay/internal/phrase"
)

// messages returns the messages of files, including nested ones.
func messages[F protoreflect.FileDescriptor](files []F) []protoreflect.MessageDescriptor {
	var all []protoreflect.MessageDescriptor
	var add func(list protoreflect.MessageDescriptors)
	add = func(list protoreflect.MessageDescriptors) {
		for i := range list.Len() {
			if m := list.Get(i); !m.IsMapEntry() {
				all = append(all, m)
				add(m.Messages())
			}
		}
	}
	for _, f := range files {
		add(f.Messages())
	}
	return all
}

// message returns the message with a name, which may be just the end of the full name. If the name is
// empty, it chooses the message and says why in guess.
func (s *fileSet) message(name string) (m protoreflect.MessageDescriptor, guess string, err error) {
	name = strings.TrimPrefix(name, ".")
	if name == "" {
		return s.onlyMessage()
	}
	all := messages(s.files)
	if m := match(all, func(full string) bool { return full == name }); len(m) == 1 {
		return m[0], "", nil
	}
	ends := func(full string) bool { return strings.HasSuffix(full, "."+name) }
	found := match(messages(s.named), ends)
	if len(found) == 0 {
		found = match(all, ends)
	}
	switch len(found) {
	case 1:
		return found[0], "", nil
	case 0:
		return nil, "", s.unknown(name, all)
	}
	return nil, "", fmt.Errorf("%d messages are called %s: %s; give --message more of the name", len(found), name, some(fullNames(found)))
}

func match(all []protoreflect.MessageDescriptor, ok func(full string) bool) []protoreflect.MessageDescriptor {
	var found []protoreflect.MessageDescriptor
	for _, m := range all {
		if ok(string(m.FullName())) && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// onlyMessage returns the only message of the named files, or the only one that no other message
// holds, and the reason.
func (s *fileSet) onlyMessage() (protoreflect.MessageDescriptor, string, error) {
	held := map[protoreflect.FullName]bool{}
	for _, m := range messages(s.files) {
		fields := m.Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			if f.IsMap() {
				f = f.MapValue()
			}
			if inner := f.Message(); inner != nil && inner.FullName() != m.FullName() {
				held[inner.FullName()] = true
			}
		}
	}
	var top, free []protoreflect.MessageDescriptor
	for _, m := range messages(s.named) {
		if _, inFile := m.Parent().(protoreflect.FileDescriptor); !inFile {
			continue
		}
		top = append(top, m)
		if !held[m.FullName()] {
			free = append(free, m)
		}
	}
	switch {
	case len(top) == 0:
		return nil, "", fmt.Errorf("%s has no message", s.names())
	case len(top) == 1:
		return top[0], "it is the only message of " + s.names(), nil
	case len(free) == 1:
		return free[0], "it is the only message of " + s.names() + " that no other holds", nil
	case len(free) > 1:
		top = free
	}
	return nil, "", fmt.Errorf("%s has several messages that records could be; name one with --message: %s", s.names(), some(fullNames(top)))
}

// names lists the files that the user named.
func (s *fileSet) names() string {
	var names []string
	for _, f := range s.named {
		name := f.Path()
		if p := s.finder.opened[name]; p != "" {
			name = show(p)
		}
		names = append(names, name)
	}
	return some(names)
}

// unknown returns an error that says that there is no such message, and which messages have similar
// names.
func (s *fileSet) unknown(name string, all []protoreflect.MessageDescriptor) error {
	byWord := map[string][]string{} // full names, by the word that a user may have meant to type
	var words []string
	add := func(word string, m protoreflect.MessageDescriptor) {
		word = strings.ToLower(word)
		if byWord[word] == nil {
			words = append(words, word)
		}
		if full := string(m.FullName()); !slices.Contains(byWord[word], full) {
			byWord[word] = append(byWord[word], full)
		}
	}
	for _, m := range all {
		add(string(m.Name()), m)
		add(string(m.FullName()), m)
	}
	var near []string
	wanted := []string{strings.ToLower(name), strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])}
	for _, w := range wanted {
		for left := slices.Clone(words); len(near) < 3; {
			n := nearest.Name(w, left)
			if n == "" {
				break
			}
			left = slices.DeleteFunc(left, func(l string) bool { return l == n })
			for _, full := range byWord[n] {
				if !slices.Contains(near, full) {
					near = append(near, full)
				}
			}
		}
	}
	if len(near) > 0 {
		return fmt.Errorf("there is no message %s in %s; near it %s %s", name, s.names(), isAre(len(near)), some(near))
	}
	if known := messages(s.named); len(known) > 0 {
		return fmt.Errorf("there is no message %s in %s, which has %s", name, s.names(), some(fullNames(known)))
	}
	return fmt.Errorf("there is no message %s: %s has no messages", name, s.names())
}

func fullNames(list []protoreflect.MessageDescriptor) []string {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = string(m.FullName())
	}
	return names
}

// some formats a list of names; if there are many, only the first ones.
func some(names []string) string {
	return cmp.Or(phrase.Some(names, 6), "nothing")
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
