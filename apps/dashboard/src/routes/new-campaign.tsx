import { NewCampaign } from '../features/growth/CampaignWizard.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function NewCampaignRoute() {
  const { id: projectId } = useCurrentProject()
  return <NewCampaign projectId={projectId} />
}
