/** The specification's ports when no backend is configured. */
const HTTPS_PORT = 8443
const HTTP_PORT = 8080

/**
 * Returns the origin all calls go to: the development server's setting, else what the page was served with
 * (`self` is the page's own origin), else the page's host on 8443 for https or 8080 (specification §7).
 */
export function backendUrl(): string {
  const development: unknown = import.meta.env.VITE_BACKEND_URL
  const configured = typeof development === 'string' && development !== '' ? development : pageSetting('kassa-backend')
  if (configured === 'self') return location.origin
  if (configured !== undefined && configured !== '') return configured.replace(/\/+$/, '')
  return `${location.protocol}//${location.hostname}:${location.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT}`
}

/** Returns the address of a route below the backend; a path that starts with `//` hangs from the server's root. */
export function backendPath(path: string): string {
  return backendUrl() + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`)
}

/** Returns where the documentation is: the address the page was served with, else the server's own pages. */
export function documentationUrl(): string {
  return pageSetting('kassa-docs') ?? backendPath('//docs')
}

function pageSetting(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content
}
