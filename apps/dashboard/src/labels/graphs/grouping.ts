/** What a series of a chart stands for: a currency or a network. */
export type Grouping = 'currency_code' | 'blockchain_code'
