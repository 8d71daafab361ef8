package main

func Example() {
	main()
	// Output:
	// {"type":"object","properties":{"grams":{"type":"integer","minimum":1,"maximum":31500},"country":{"type":"string","enum":["DE","FR","PL"]}},"required":["grams","country"]}
	// 1130
}
