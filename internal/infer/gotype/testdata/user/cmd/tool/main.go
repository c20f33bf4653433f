package main

import "os"

type config struct {
	Name string   `json:"name"`
	Args []string `json:"args"`
}

func main() { os.Exit(3) }
