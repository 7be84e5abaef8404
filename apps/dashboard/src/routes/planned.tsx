import { useLocation } from '@tanstack/react-router'

import { plannedText } from '../features/planned/planned-screens.ts'
import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'
import { usePageTitle } from '../lib/navigation/page-title.ts'

export function PlannedRoute() {
  const pathname = useLocation({ select: (location) => location.pathname })
  return <PlannedScreen title={usePageTitle()} text={plannedText(pathname)} />
}
