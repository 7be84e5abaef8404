/** The state that one process keeps between calls, such as connections and caches; every program and every test has its own. */
export type Memory = Map<object, unknown>

/** Declares a piece of that state; it is created on first use. */
export function remembered<T>(create: () => T): (ctx: { readonly memory: Memory }) => T {
  const recall = ({ memory }: { readonly memory: Memory }): T => {
    if (!memory.has(recall)) memory.set(recall, create())
    return memory.get(recall) as T
  }
  return recall
}
