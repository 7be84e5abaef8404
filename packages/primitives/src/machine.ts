/** One verb: the states it may start from and the state it leads to. */
export type Move<State extends string> = { readonly from: readonly State[]; readonly to: State }

/** A state machine as a table, read by schemas, SQL, documentation and buttons. */
export type Machine<State extends string, Verb extends string> = {
  readonly name: string
  readonly states: readonly State[]
  readonly initial: State
  readonly final: readonly State[]
  readonly moves: { readonly [verb in Verb]: Move<State> }
}

/**
 * Returns the table unchanged, typed by its own states and verbs.
 * @throws TypeError when a state is listed twice or a move leaves a final state
 */
export function defineMachine<const State extends string, const Verb extends string>(machine: {
  readonly name: string
  readonly states: readonly State[]
  readonly initial: NoInfer<State>
  readonly final: readonly NoInfer<State>[]
  readonly moves: { readonly [verb in Verb]: Move<NoInfer<State>> }
}): Machine<State, Verb> {
  if (new Set(machine.states).size !== machine.states.length) {
    throw new TypeError(`The machine ${machine.name} lists a state twice`)
  }
  for (const [verb, move] of Object.entries<Move<State>>(machine.moves)) {
    const stuck = move.from.find((state) => machine.final.includes(state))
    if (stuck) throw new TypeError(`In ${machine.name}, ${verb} leaves the final state ${stuck}`)
  }
  return machine
}

/** Lists the states from which some move leads to `to`: the list for `UPDATE … WHERE status = ANY(from)`. */
export function sourcesOf<State extends string>(machine: Machine<State, string>, to: NoInfer<State>): State[] {
  const moves = Object.values<Move<State>>(machine.moves).filter((move) => move.to === to)
  return machine.states.filter((state) => moves.some((move) => move.from.includes(state)))
}

/** Whether some move leads from `from` to `to`. */
export function canMove<State extends string>(
  machine: Machine<State, string>,
  from: NoInfer<State>,
  to: NoInfer<State>,
): boolean {
  return sourcesOf(machine, to).includes(from)
}
