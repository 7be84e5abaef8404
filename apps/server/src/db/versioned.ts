import { type RawBuilder, sql } from 'kysely'

import { type Memory, remembered } from '../memory.ts'

/** The most results that a look-up remembers; beyond it the oldest is loaded again. */
const MOST = 1_000

/** The version of the configuration, to be read in the statement that finds a caller's credential. */
export const configVersion: RawBuilder<bigint> = sql<bigint>`(SELECT version FROM config_version)`

/** The parts of a context that are read; the version was read with the caller's credential, where there was one. */
type Reader = { readonly memory: Memory; readonly configVersion?: bigint }

/**
 * Remembers what a look-up of configuration has loaded, exactly (0023): a request that read the version with its credential
 * gets what was loaded at that version, and all others what the database holds now. Keys are compared by their text. Use it
 * only for data that raises the version when it changes (migration 0034); never for keys, sessions, cursors or money. Results
 * are shared, so callers must not change them.
 */
export function versioned<Ctx extends Reader, Key extends string | number | readonly (string | number)[] | void, T>(
  load: (ctx: Ctx, key: Key) => Promise<T>,
): (ctx: Ctx, key: Key) => Promise<T> {
  const recall = remembered(() => ({ version: 0n, values: new Map<string, T>() }))
  return async (ctx, key) => {
    const memory = recall(ctx)
    // A request that read an older version loads for itself, because what is remembered is newer.
    if (ctx.configVersion === undefined || ctx.configVersion < memory.version) return load(ctx, key)
    if (ctx.configVersion > memory.version) Object.assign(memory, { version: ctx.configVersion, values: new Map() })
    const { values } = memory
    const name = String(key)
    const known = values.get(name)
    if (known !== undefined) return known
    const loaded = await load(ctx, key)
    const [oldest] = values.keys()
    if (values.size >= MOST && oldest !== undefined) values.delete(oldest)
    values.set(name, loaded)
    return loaded
  }
}
