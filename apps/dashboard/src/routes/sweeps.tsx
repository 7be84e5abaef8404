import { Sweeps } from '../features/sweeps/Sweeps.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function SweepsRoute() {
  const { id: projectId } = useCurrentProject()
  return <Sweeps projectId={projectId} />
}
