import { PaymentDrawer } from '../features/payments/PaymentDrawer.tsx'
import { SandboxTools } from '../features/sandbox/SandboxTools.tsx'
import { useSearchState } from '../lib/search.ts'

/** The payment that `open` names in the address, over whatever page that is. */
export function OpenPayment({ projectId, listed }: { projectId: string; listed?: readonly string[] }) {
  const [{ open: reference }] = useSearchState()
  if (reference === undefined) return null
  return (
    <PaymentDrawer
      projectId={projectId}
      reference={reference}
      {...(listed === undefined ? {} : { listed })}
      tools={(payment) => <SandboxTools payment={payment} />}
    />
  )
}
