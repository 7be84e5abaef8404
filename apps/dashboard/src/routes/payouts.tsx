import { Payouts } from '../features/payouts/Payouts.tsx'
import { WithdrawLinks } from '../features/payouts/WithdrawLinks.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function PayoutsRoute() {
  const { id: projectId } = useCurrentProject()
  return (
    <>
      <WithdrawLinks />
      <Payouts projectId={projectId} />
    </>
  )
}
