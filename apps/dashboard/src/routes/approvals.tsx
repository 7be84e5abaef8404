import { Approvals } from '../features/payouts/Approvals.tsx'
import { WithdrawLinks } from '../features/payouts/WithdrawLinks.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function ApprovalsRoute() {
  const { id: projectId } = useCurrentProject()
  return (
    <>
      <WithdrawLinks />
      <Approvals projectId={projectId} />
    </>
  )
}
