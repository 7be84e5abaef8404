/** A call that waits for the statement of all calls. */
type Waiting<Item, T> = {
  readonly item: Item
  readonly resolve: (result: T) => void
  readonly reject: (error: unknown) => void
}

const TAKEN = Symbol('taken')

/** State that the calls of one shared transaction have in common. */
export type Sharing = {
  /** The calls that wait, by the function that `together` returned. */
  readonly waiting: Map<object, unknown>
  /** Names that one of the calls has taken for itself. */
  readonly taken: Set<string>
}

/**
 * Takes a name for one call of a shared transaction. A lock or a unique row keeps out other transactions, but not the other calls
 * of the same one. @throws Error when the name was taken before; each call then runs alone
 */
export function takeAlone({ sharing }: { readonly sharing?: Sharing }, name: string): void {
  if (sharing?.taken.has(name)) throw new Error(`${name} is for one call of a transaction`, { cause: TAKEN })
  sharing?.taken.add(name)
}

/** Whether a call failed because a name was taken before. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && error.cause === TAKEN
}

/**
 * Runs a statement for one call or, in a shared transaction, once for all calls that come to it in the same turn of the event
 * loop (0054). `run` takes what they ask for, and gives a result for each in the same order. When it fails, each call does.
 */
export function together<Ctx extends { readonly sharing?: Sharing }, Item, T>(
  run: (ctx: Ctx, items: readonly Item[]) => Promise<readonly T[]>,
): (ctx: Ctx, item: Item) => Promise<T> {
  const ask = async (ctx: Ctx, item: Item): Promise<T> => {
    const { sharing } = ctx
    if (sharing === undefined) return resultAt(await run(ctx, [item]), 0)
    return new Promise<T>((resolve, reject) => {
      const waiting = sharing.waiting.get(ask) as Waiting<Item, T>[] | undefined
      if (waiting) return void waiting.push({ item, resolve, reject })
      sharing.waiting.set(ask, [{ item, resolve, reject }])
      setImmediate(() => void answerAll(ctx, sharing))
    })
  }

  async function answerAll(ctx: Ctx, sharing: Sharing): Promise<void> {
    const calls = sharing.waiting.get(ask) as Waiting<Item, T>[]
    sharing.waiting.delete(ask)
    try {
      const results = await run(
        ctx,
        calls.map(({ item }) => item),
      )
      for (const [at, { resolve }] of calls.entries()) resolve(resultAt(results, at))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  return ask
}

function resultAt<T>(results: readonly T[], at: number): T {
  if (at >= results.length) throw new Error(`${results.length} results do not answer call ${at + 1}`)
  return results[at] as T
}
