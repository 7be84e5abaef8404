import { ProjectSettings } from '../features/project-settings/ProjectSettings.tsx'
import { useCurrentProject } from '../lib/navigation/current-project.ts'

export function ProjectSettingsRoute() {
  const { id } = useCurrentProject()
  return <ProjectSettings key={id} projectId={id} />
}
