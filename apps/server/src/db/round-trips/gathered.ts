import { type Memory, remembered } from '../../memory.ts'

/** Keys of one statement at most. */
const MOST = 200

type Waiting<Key, T> = {
  readonly key: Key
  readonly resolve: (found: T | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers look-ups of one process with few statements: one statement is under way at a time, for all look-ups of one turn of the
 * event loop, and look-ups that arrive meanwhile share the next. Each statement begins after its look-ups were requested, so that
 * every answer includes what was committed before. `load` returns results by the text of each key; a missing one is undefined.
 */
export function gathered<Ctx extends { readonly memory: Memory }, Key, T>(
  load: (ctx: Ctx, keys: readonly Key[]) => Promise<ReadonlyMap<string, T>>,
  nameOf: (key: Key) => string,
): (ctx: Ctx, key: Key) => Promise<T | undefined> {
  const recall = remembered((): { waiting: Waiting<Key, T>[]; isRunning: boolean } => ({
    waiting: [],
    isRunning: false,
  }))

  async function loadAll(ctx: Ctx): Promise<void> {
    const state = recall(ctx)
    while (state.waiting.length > 0) {
      const batch = state.waiting.splice(0, MOST)
      try {
        const keys = batch.map(({ key }) => key)
        const found = await load(ctx, keys)
        for (const { key, resolve } of batch) resolve(found.get(nameOf(key)))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    state.isRunning = false
  }

  return (ctx, key) =>
    new Promise((resolve, reject) => {
      const state = recall(ctx)
      state.waiting.push({ key, resolve, reject })
      if (state.isRunning) return
      state.isRunning = true
      setImmediate(() => void loadAll(ctx))
    })
}
