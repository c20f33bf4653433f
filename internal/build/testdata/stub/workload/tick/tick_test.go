package tick

var _ = thisMustNotBeCopied
