import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** One value of the page's address, e.g. a search or a tab: `const [search, setSearch] = useUrlState('busca')`. */
export const useUrlState = (name: string, fallback = ''): [string, (value: string) => void] => {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (value: string) => setParams((now) => withParam(now, name, value === fallback ? [] : [value]), { replace: true }),
    [name, fallback, setParams],
  )
  return [params.get(name) ?? fallback, set]
}

/** Several values under one name: `fila=a&fila=b`. */
export const useUrlList = (name: string): [string[], (values: string[]) => void] => {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (values: string[]) => setParams((now) => withParam(now, name, values), { replace: true }),
    [name, setParams],
  )
  return [params.getAll(name), set]
}

const withParam = (now: URLSearchParams, name: string, values: string[]) => {
  const next = new URLSearchParams(now)
  next.delete(name)
  for (const value of values) if (value) next.append(name, value)
  return next
}
