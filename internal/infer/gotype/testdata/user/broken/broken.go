package broken

type Order struct {
	ID int
}

func (o Order) Next() Missing { return o.ID }
