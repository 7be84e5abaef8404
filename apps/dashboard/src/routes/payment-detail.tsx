import { useParams } from '@tanstack/react-router'

import { PaymentDrawer } from '../features/payments/PaymentDrawer.tsx'
import { PaymentPage } from '../features/payments/PaymentPage.tsx'
import { SandboxTools } from '../features/sandbox/SandboxTools.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export type PaymentOverlayProps = {
  readonly projectId: string
  readonly reference: string
  /** References of the list it was opened from, for the previous and the next payment. */
  readonly listed?: readonly string[]
}

/** A payment in a drawer over the page it was opened on. */
export function PaymentOverlay(props: PaymentOverlayProps) {
  return <PaymentDrawer {...props} tools={(payment) => <SandboxTools payment={payment} />} />
}

/** The payment that the path names, on a page of its own. */
export function PaymentRoute() {
  const { id: projectId } = useCurrentProject()
  const { reference = '' } = useParams({ strict: false }) as { reference?: string }
  return (
    <PaymentPage
      key={reference}
      projectId={projectId}
      reference={reference}
      tools={(payment) => <SandboxTools payment={payment} prominent={false} />}
    />
  )
}
