import { useParams } from '@tanstack/react-router'

import { EditCampaign } from '../features/growth/CampaignWizard.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function EditCampaignRoute() {
  const { id: projectId } = useCurrentProject()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <EditCampaign key={id} projectId={projectId} id={Number(id)} />
}
