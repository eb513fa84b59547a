import { useCallback } from 'react'
import { type NavigateOptions, useSearchParams } from 'react-router'

type ChangeParams = (change: (params: URLSearchParams) => void, options?: NavigateOptions) => void

/**
 * Changes the parameters of the address as it is at that moment. What the router hands to its own setter is the address
 * of the last drawing: of two changes in quick succession the second would bring back what the first took away.
 */
export const useChangeParams = (): ChangeParams => {
  const [, setParams] = useSearchParams()
  return useCallback(
    (change, options) => {
      const next = new URLSearchParams(window.location.search)
      change(next)
      setParams(next, options)
    },
    [setParams],
  )
}

/** One value of the page's address, e.g. a search or a tab: `const [search, setSearch] = useUrlState('busca')`. */
export const useUrlState = (name: string, fallback = ''): [string, (value: string) => void] => {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const set = useCallback(
    (value: string) => change((next) => write(next, name, value === fallback ? [] : [value]), { replace: true }),
    [name, fallback, change],
  )
  return [params.get(name) ?? fallback, set]
}

/** Several values under one name: `fila=a&fila=b`. */
export const useUrlList = (name: string): [string[], (values: string[]) => void] => {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const set = useCallback(
    (values: string[]) => change((next) => write(next, name, values), { replace: true }),
    [name, change],
  )
  return [params.getAll(name), set]
}

const write = (params: URLSearchParams, name: string, values: string[]) => {
  params.delete(name)
  for (const value of values) if (value) params.append(name, value)
}
