import { Sweeps } from '../features/sweeps/Sweeps.tsx'
import { PendingCollectors } from '../features/wallets/cards/PendingCollectors.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function SweepsRoute() {
  const { id: projectId } = useCurrentProject()
  return (
    <>
      <PendingCollectors />
      <Sweeps projectId={projectId} />
    </>
  )
}
