import { NewPayout } from '../features/payouts/NewPayout.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function NewPayoutRoute() {
  const { id: projectId } = useCurrentProject()
  return <NewPayout projectId={projectId} />
}
