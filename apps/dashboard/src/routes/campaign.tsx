import { useParams } from '@tanstack/react-router'

import { CampaignDetail } from '../features/growth/CampaignDetail.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function CampaignRoute() {
  const { id: projectId } = useCurrentProject()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <CampaignDetail key={id} projectId={projectId} id={Number(id)} />
}
