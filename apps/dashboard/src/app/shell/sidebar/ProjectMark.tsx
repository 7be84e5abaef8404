import { Layers } from 'lucide-react'

import type { ListedProject } from '../../../api/projects.ts'

/** A path that only points at the uploads folder names no picture. */
const NO_PICTURE = /^$|\/uploads\/?$/

/** A project's logo, else a dot of its colour; the sign of all projects when there is none. All as wide, so that names stand in line. */
export function ProjectMark({ project }: { project: Pick<ListedProject, 'logoPath' | 'brandColor'> | undefined }) {
  return (
    <span aria-hidden className="inline-flex size-5 shrink-0 items-center justify-center">
      {project === undefined ? (
        <Layers size={18} strokeWidth={1.75} className="text-muted" />
      ) : (
        <Own project={project} />
      )}
    </span>
  )
}

function Own({ project: { logoPath, brandColor } }: { project: Pick<ListedProject, 'logoPath' | 'brandColor'> }) {
  if (!NO_PICTURE.test(logoPath)) {
    return <img src={logoPath} alt="" width={20} height={20} className="size-5 rounded-chip object-cover" />
  }
  return (
    <span
      style={{ backgroundColor: brandColor || undefined }}
      className="size-4 rounded-full border border-border-control bg-accent"
    />
  )
}
