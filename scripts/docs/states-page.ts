import type { Machine } from '@kassa/primitives/machine.ts'
import { page, printedFrom, table } from './markdown.ts'

type AnyMachine = Machine<string, string>

/** Prints every state machine as a diagram and as the table the database moves rows by. */
export function statesPage(machines: readonly AnyMachine[]): string {
  return page(
    '# States',
    printedFrom('packages/contract/src/*/machine.ts'),
    'These are all the moves there are. A statement that moves a row names the states it may come from, or the row is locked and the program looks the move up here first: a row that is elsewhere stays as it is.',
    ...machines.flatMap((machine) => [`## ${machine.name}`, diagram(machine), moves(machine)]),
  )
}

function diagram({ initial, final, moves: table_ }: AnyMachine): string {
  const arrows = Object.entries(table_).flatMap(([verb, { from, to }]) =>
    from.map((state) => `  ${state} --> ${to}: ${verb}`),
  )
  const ends = final.map((state) => `  ${state} --> [*]`)
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${initial}`, ...arrows, ...ends, '```'].join('\n')
}

function moves({ moves: table_ }: AnyMachine): string {
  const rows = Object.entries(table_).map(([verb, { from, to }]) => [verb, from.join(', '), to])
  return table(['Verb', 'From', 'To'], rows)
}
