/** What one process remembers between calls, such as connections and caches: every program has one, and every test its own. */
export type Memory = Map<object, unknown>

/** Declares something that a process remembers; it is made when it is first asked for. */
export function remembered<T>(create: () => T): (ctx: { readonly memory: Memory }) => T {
  const recall = ({ memory }: { readonly memory: Memory }): T => {
    if (!memory.has(recall)) memory.set(recall, create())
    return memory.get(recall) as T
  }
  return recall
}
