import { useLocation, useMatches } from '@tanstack/react-router'

import { plannedText } from '../features/planned/planned-screens.ts'
import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function PlannedRoute() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? '' })
  return <PlannedScreen title={title} text={plannedText(pathname)} />
}
