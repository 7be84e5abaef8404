import type { ReactNode } from 'react'

/** What a tab without rows says. */
export function EmptyTab({ children }: { children: ReactNode }) {
  return <p className="py-6 text-center text-body text-muted">{children}</p>
}
