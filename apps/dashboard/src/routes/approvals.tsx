import { Approvals } from '../features/payouts/Approvals.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function ApprovalsRoute() {
  const { id: projectId } = useCurrentProject()
  return <Approvals projectId={projectId} />
}
