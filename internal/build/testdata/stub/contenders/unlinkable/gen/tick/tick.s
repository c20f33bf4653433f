// An assembly file lets functions have no body.
