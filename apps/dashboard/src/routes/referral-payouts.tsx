import { ReferralPayouts } from '../features/payouts/ReferralPayouts.tsx'
import { WithdrawLinks } from '../features/payouts/WithdrawLinks.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function ReferralPayoutsRoute() {
  const { id: projectId } = useCurrentProject()
  return (
    <>
      <WithdrawLinks />
      <ReferralPayouts projectId={projectId} />
    </>
  )
}
