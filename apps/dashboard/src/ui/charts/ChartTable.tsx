import { useId } from 'react'

/** What a chart shows as a table, cell by cell: what its file holds too. */
export type ChartRows = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The figures of a chart as a real table in a window of its own, which the keyboard scrolls. */
export function ChartTable({ caption, table: { head, rows } }: { caption: string; table: ChartRows }) {
  const id = useId()
  return (
    <div
      role="region"
      aria-labelledby={id}
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-control border border-border text-dense"
    >
      <table className="w-full border-collapse">
        <caption id={id} className="sr-only">
          {caption}
        </caption>
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {head.map((name, column) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-1.5 font-medium whitespace-nowrap ${column === 0 ? 'text-start' : 'text-end'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t border-border">
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row" className="px-3 py-1.5 text-start font-normal whitespace-nowrap">
                    {cell}
                  </th>
                ) : (
                  <td key={column} className="px-3 py-1.5 text-end whitespace-nowrap tabular-nums">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
