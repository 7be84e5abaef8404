/** Runs the work for every item with at most `limit` at once; outcomes are in the order of the items. */
export async function mapConcurrent<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const outcomes: PromiseSettledResult<Result>[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [at, item] of queue) {
      const [outcome] = await Promise.allSettled([work(item)])
      outcomes[at] = outcome
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return outcomes
}
