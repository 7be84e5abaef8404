import { useLocation } from '@tanstack/react-router'

import { projectInPath } from '../paths.ts'
import { parseSearch } from './search.ts'
import { readStored, writeStored } from '../device/stored.ts'

/** The id that stands for every project the operator may see. */
export const ALL_PROJECTS = 'all'

const LAST_PROJECT = 'lastProject'

/** Returns the project named in the URL, in its path or else in its query; that may be `all`. */
function projectInUrl(pathname: string, search: string): string | undefined {
  return projectInPath(pathname) ?? (parseSearch(search).projectId || undefined)
}

/** Returns the current project's id (`all` when the URL names none) and whether the URL names one. */
export function useCurrentProject(): { readonly id: string; readonly isInUrl: boolean } {
  const id = useLocation({ select: ({ pathname, searchStr }) => projectInUrl(pathname, searchStr) })
  return { id: id ?? ALL_PROJECTS, isInUrl: id !== undefined }
}

/** Returns the project the operator chose last on this device. */
export function lastProject(): string | undefined {
  return readStored(LAST_PROJECT)
}

/** Stores the project the operator looks at; `all` is not stored. */
export function rememberProject(id: string): void {
  if (id !== ALL_PROJECTS && id !== lastProject()) writeStored(LAST_PROJECT, id)
}
