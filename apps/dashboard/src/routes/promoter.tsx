import { useParams } from '@tanstack/react-router'

import { PromoterDetail } from '../features/growth/PromoterDetail.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function PromoterRoute() {
  const { id: projectId } = useCurrentProject()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <PromoterDetail key={id} projectId={projectId} id={Number(id)} />
}
