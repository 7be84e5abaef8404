import { Payouts } from '../features/payouts/Payouts.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function PayoutsRoute() {
  const { id: projectId } = useCurrentProject()
  return <Payouts projectId={projectId} />
}
