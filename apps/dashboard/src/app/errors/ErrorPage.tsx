import type { ReactNode } from 'react'

/** The one look of the pages that stand in for another: a sign, a heading, what it means, the way on. */
export function ErrorPage({
  sign,
  title,
  children,
  actions,
}: {
  sign: string
  title: string
  children?: ReactNode
  actions: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start px-6 py-20">
      <p aria-hidden className="font-mono text-dense text-muted">
        {sign}
      </p>
      <h1 tabIndex={-1} className="mt-2 text-h1 font-semibold">
        {title}
      </h1>
      {children !== undefined && <div className="mt-3 text-body text-muted">{children}</div>}
      <div className="mt-6 flex flex-wrap gap-2">{actions}</div>
    </div>
  )
}
