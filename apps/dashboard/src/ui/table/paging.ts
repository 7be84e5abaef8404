/** Where a page of a list stands in it, and the way to its neighbours. */
export type Paging = {
  readonly nextCursor?: string | null
  readonly prevCursor?: string | null
  readonly total?: number | undefined
  readonly totalIsEstimate?: boolean | undefined
  /** The list reads how many rows it shows from the address. */
  readonly isSized?: boolean
}
