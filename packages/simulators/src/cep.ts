import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

type Known = { street: string; neighborhood: string; city: string; state: string; point?: [string, string] }

const addresses: Record<string, Known> = {
  '01001000': {
    street: 'Praça da Sé',
    neighborhood: 'Sé',
    city: 'São Paulo',
    state: 'SP',
    point: ['-23.5502784', '-46.6342179'],
  },
  '01310100': {
    street: 'Avenida Paulista',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
    point: ['-23.5630994', '-46.6543387'],
  },
  '20040020': {
    street: 'Praça Floriano',
    neighborhood: 'Centro',
    city: 'Rio de Janeiro',
    state: 'RJ',
    point: ['-22.9098755', '-43.1762835'],
  },
  '30130010': { street: 'Praça Sete de Setembro', neighborhood: 'Centro', city: 'Belo Horizonte', state: 'MG' },
  '88010400': { street: 'Rua Felipe Schmidt', neighborhood: 'Centro', city: 'Florianópolis', state: 'SC' },
  '69900970': { street: '', neighborhood: '', city: 'Rio Branco', state: 'AC' },
}

/** BrasilAPI's look-up of a CEP, `{url}/api/cep/v2/<CEP>`, over a handful of addresses. */
export async function startCepSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const core = await createSimulator(options)
  core.app.get<{ Params: { cep: string } }>('/api/cep/v2/:cep', ({ params: { cep } }, reply) => {
    const known = addresses[cep]
    if (!known)
      return reply.status(404).send({
        name: 'CepPromiseError',
        message: 'Todos os serviços de CEP retornaram erro.',
        type: 'service_error',
        errors: [{ name: 'ServiceError', message: 'CEP NAO ENCONTRADO', service: 'correios' }],
      })
    const { point, ...address } = known
    const coordinates = point ? { latitude: point[0], longitude: point[1] } : {}
    return { cep, ...address, service: 'open-cep', location: { type: 'Point', coordinates } }
  })
  await core.listen()
  return core
}
