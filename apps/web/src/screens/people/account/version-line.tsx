import { useQuery } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** The version in service, in small print. */
export const VersionLine = () => {
  const { data } = useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => api.get<{ version?: string }>('/check-version/', { signal, quiet: true }),
    staleTime: 12 * 3_600_000,
    retry: false,
  })
  return data?.version ? <span className="tabular">Balcão {data.version}</span> : null
}
