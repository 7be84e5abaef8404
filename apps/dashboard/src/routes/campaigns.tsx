import { Campaigns } from '../features/growth/Campaigns.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function CampaignsRoute() {
  const { id: projectId } = useCurrentProject()
  return <Campaigns projectId={projectId} />
}
