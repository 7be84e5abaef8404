import type { ReactNode } from 'react'

export type KeyValueRow = { readonly label: string; readonly value: ReactNode }

/** Names and values of one thing, as a description list; rows without a value are the caller's to leave out. */
export function KeyValue({ rows }: { rows: readonly KeyValueRow[] }) {
  return (
    <dl className="divide-y divide-border">
      {rows.map(({ label, value }) => (
        <div
          key={label}
          className="grid grid-cols-1 items-baseline gap-x-4 gap-y-0.5 py-2.5 sm:grid-cols-[minmax(120px,34%)_1fr]"
        >
          <dt className="text-body text-muted">{label}</dt>
          <dd className="min-w-0 text-body break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
