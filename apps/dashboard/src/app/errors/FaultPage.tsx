import { Fault } from './Fault.tsx'

/** A fault with nothing around it: the layout itself broke. */
export function FaultPage({ error }: { error: unknown }) {
  return (
    <main id="content" tabIndex={-1}>
      <Fault error={error} />
    </main>
  )
}
