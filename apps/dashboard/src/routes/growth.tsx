import { GrowthDashboard } from '../features/growth/GrowthDashboard.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function GrowthRoute() {
  const { id: projectId } = useCurrentProject()
  return <GrowthDashboard projectId={projectId} />
}
