import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Outlet, useLocation } from '@tanstack/react-router'

import { paths } from '../../lib/paths.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { chooseTheme, useTheme } from '../../lib/display/theme.ts'
import type { Theme } from '../../lib/display/theme.ts'
import { useFollow } from '../../lib/navigation/navigate.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { Illustration } from './Illustration.tsx'
import { Logo } from './Logo.tsx'
import { SkipLinks } from './SkipLinks.tsx'
import { useDocumentTitle } from '../navigation/titles.ts'

/** Pages without the side picture: the landing page by specification, the policies because they are read. */
const PLAIN_PATHS = [paths.landing, paths.privacyPolicy, paths.cookiePolicy]

/** Header with the logo, footer with the year and the policies; a side illustration beside forms. */
export function PublicLayout() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const follow = useFollow()
  useDocumentTitle()
  const hasPicture = !PLAIN_PATHS.some((path) => path.matches(pathname))
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLinks targets={[{ id: 'content', label: t`Skip to content` }]} />
      <header className="mx-auto flex w-full max-w-[1440px] items-center px-4 py-5 sm:px-8">
        <a href={paths.landing()} onClick={follow} className="rounded-control">
          <Logo />
        </a>
      </header>
      <div className="mx-auto flex w-full max-w-[1440px] flex-1 px-4 sm:px-8">
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col justify-center py-8">
          <Outlet />
        </main>
        {hasPicture && (
          <div aria-hidden className="hidden flex-1 items-center justify-end py-6 md:flex">
            <Illustration />
          </div>
        )}
      </div>
      <footer className="mx-auto flex w-full max-w-[1440px] flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-5 text-dense text-muted sm:px-8">
        <span className="flex flex-wrap items-center gap-x-2">
          <span>© {new Date().getFullYear()}</span>
          <span aria-hidden>·</span>
          <TextLink href={paths.privacyPolicy()}>{t(SPEC_TEXTS.privacyPolicy)}</TextLink>
          <span aria-hidden>·</span>
          <TextLink href={paths.cookiePolicy()}>{t(SPEC_TEXTS.cookiePolicy)}</TextLink>
        </span>
        <ThemeSwitch />
      </footer>
    </div>
  )
}

function ThemeSwitch() {
  const theme = useTheme()
  return (
    <label className="flex items-center gap-2">
      <Trans>Theme</Trans>
      <select
        value={theme}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        className="h-8 rounded-control border border-border-control bg-surface px-2 text-dense text-ink coarse:h-11 coarse:text-field"
      >
        <option value="system">{t({ message: 'System', comment: 'theme that follows the device' })}</option>
        <option value="light">{t({ message: 'Light', comment: 'theme' })}</option>
        <option value="dark">{t({ message: 'Dark', comment: 'theme' })}</option>
      </select>
    </label>
  )
}
