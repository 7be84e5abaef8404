import { Layers } from 'lucide-react'

import type { ListedProject } from '../../api/projects.ts'

/** A path that only points at the uploads folder names no picture. */
const NO_PICTURE = /^$|\/uploads\/?$/

/** A project's logo, else a dot of its colour; the sign of all projects when there is none. */
export function ProjectMark({ project }: { project: Pick<ListedProject, 'logoPath' | 'brandColor'> | undefined }) {
  if (project === undefined) return <Layers aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-muted" />
  if (NO_PICTURE.test(project.logoPath)) {
    return (
      <span
        aria-hidden
        style={{ backgroundColor: project.brandColor || undefined }}
        className="size-4 shrink-0 rounded-full border border-border-control bg-accent"
      />
    )
  }
  return (
    <img src={project.logoPath} alt="" width={20} height={20} className="size-5 shrink-0 rounded-chip object-cover" />
  )
}
