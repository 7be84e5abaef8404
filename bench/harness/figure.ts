/** What a measurement finds: each figure stands beside the limit that was measured in the same run. */
export type Unit = '/s' | 'ms' | 's' | 'kB' | 'MB' | 'points' | 'statements' | 'shift' | 'gas'

export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: Unit
  /** What cannot be passed here: the machine, its database or library at the least work that would do; or a budget. */
  readonly limit: { readonly name: string; readonly value: number }
}

/** Registers what must be stopped when the measurement ends, however it ends. */
export type Cleanup = (stop: () => Promise<unknown> | void) => void

export type Options = {
  /** With ten times as much, which takes minutes. */
  readonly isFull: boolean
  /** A folder whose install is filled once and kept: filling it takes longer than measuring. Absent: one that is thrown away. */
  readonly keptIn?: string
}

export type Measurement = {
  /** How it is asked for on the command line. */
  readonly name: string
  readonly run: (cleanup: Cleanup, options: Options) => Promise<readonly Figure[]>
}

/** Measured by limit: of rates and points more is better, of times and sizes less. */
export function ratioOf({ value, limit }: Figure): number {
  return value / limit.value
}

const COLUMNS = [
  { title: 'measured', isRight: false },
  { title: '', isRight: true },
  { title: 'limit', isRight: true },
  { title: '', isRight: false },
  { title: 'ratio', isRight: true },
] as const

/** The figures as one aligned table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${shown(figure.value)} ${figure.unit}`,
    `${shown(figure.limit.value)} ${figure.unit}`,
    figure.limit.name,
    shown(ratioOf(figure)),
  ])
  const lines = [COLUMNS.map(({ title }) => title), ...rows]
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)))
  const print = (cells: readonly string[]) =>
    COLUMNS.map(({ isRight }, at) => {
      const [cell, width] = [cells[at] ?? '', widths[at] ?? 0]
      return isRight ? cell.padStart(width) : cell.padEnd(width)
    })
      .join('  ')
      .trimEnd()
  return lines.map(print).join('\n')
}

/** About three digits: nothing measured here is truer than that. */
function shown(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
