import { SEARCHED } from '@kassa/contract/search/routes.ts'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../api/me.ts'
import { projectsQuery } from '../../api/projects.ts'
import { asRequestError, type RequestError } from '../../api/request-error.ts'
import { searchQuery } from '../../api/search.ts'
import { useDebounced } from '../../lib/forms/useDebounced.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import {
  chargeCommand,
  type Command,
  doCommands,
  findCommands,
  pageCommands,
  projectCommands,
  type PaletteContext,
} from './commands.ts'
import { foundCommands } from './found-commands.ts'

/** The server is asked from so many letters on. */
const SEARCH_FROM = 3

/** The server is asked when no key came for so long: at most five times a second, which its limit for typing allows. */
const TYPING_MS = 200

export type FoundCommands = {
  readonly commands: readonly Command[]
  readonly isSearching: boolean
  /** Why the server did not answer the search. */
  readonly failure: RequestError | undefined
  readonly onRetry: () => void
  readonly paletteContext: PaletteContext
}

/** Finds what the typed text may mean, on this page at once and by one search of the server. */
export function useCommands(text: string): FoundCommands {
  const { id: projectId } = useCurrentProject()
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const paletteContext: PaletteContext = { projectId, projects, can }
  const searched = text.trim()
  const isStill = useDebounced(searched, TYPING_MS)
  const mayFind = Object.values(SEARCHED).some((permission) => can(permission, projectId))
  const isSearch = mayFind && searched.length >= SEARCH_FROM && !/^(>|go\s|charge\s)/i.test(searched)
  const { data, error, isFetching, refetch } = useQuery({
    ...searchQuery(projectId, searched),
    enabled: isSearch && isStill,
  })
  const charge = chargeCommand(text, paletteContext)
  const own = [...doCommands(paletteContext), ...pageCommands(paletteContext), ...projectCommands(paletteContext)]
  return {
    commands: [
      ...(charge === undefined ? [] : [charge]),
      ...(isSearch && data !== undefined ? foundCommands(data) : []),
      ...findCommands(text, own),
    ],
    isSearching: isSearch && (isFetching || (!isStill && data === undefined)),
    failure: isSearch && !isFetching && error !== null ? asRequestError(error) : undefined,
    onRetry: () => void refetch(),
    paletteContext,
  }
}
