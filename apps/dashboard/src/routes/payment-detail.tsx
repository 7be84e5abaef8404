import { useParams } from '@tanstack/react-router'

import { PaymentDrawer } from '../features/payments/PaymentDrawer.tsx'
import { PaymentPage } from '../features/payments/PaymentPage.tsx'
import { SandboxTools } from '../features/sandbox/SandboxTools.tsx'
import { useCurrentProject } from '../lib/current-project.ts'
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

/** The payment that the path names, on a page of its own. */
export function PaymentRoute() {
  const { id: projectId } = useCurrentProject()
  const { reference = '' } = useParams({ strict: false }) as { reference?: string }
  return (
    <PaymentPage
      projectId={projectId}
      reference={reference}
      tools={(payment) => <SandboxTools payment={payment} prominent={false} />}
    />
  )
}
