const systems = [
  [/android/i, 'Android'],
  [/iphone|ipad/i, 'iOS'],
  [/windows/i, 'Windows'],
  [/mac os/i, 'macOS'],
  [/cros/i, 'ChromeOS'],
  [/linux/i, 'Linux'],
] as const
// Every browser also names the one it descends from: the most particular comes first.
const browsers = [
  [/edg(e|a|ios)?\//i, 'Edge'],
  [/opr\/|opera/i, 'Opera'],
  [/samsungbrowser/i, 'Samsung Internet'],
  [/firefox|fxios/i, 'Firefox'],
  [/chrome|crios/i, 'Chrome'],
  [/safari/i, 'Safari'],
] as const

/** "Chrome no Android", as far as the browser tells; undefined when it tells nothing known. */
export const deviceOf = (userAgent: string): string | undefined => {
  const named = (known: readonly (readonly [RegExp, string])[]) => known.find(([sign]) => sign.test(userAgent))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return browser && system ? `${browser} no ${system}` : (browser ?? system)
}
