import { useState } from 'react'

import { AllPayments } from '../features/payments/AllPayments.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'
import { OpenPayment } from './open-payment.tsx'

export function AllPaymentsRoute() {
  const { id: projectId } = useCurrentProject()
  const [listed, setListed] = useState<readonly string[]>([])
  return (
    <>
      <AllPayments projectId={projectId} onListed={setListed} />
      <OpenPayment projectId={projectId} listed={listed} />
    </>
  )
}
