/** Believable people and words for the demonstration and the benchmarks; nobody real. */
export const firstNames = [
  'Ana',
  'Beatriz',
  'Camila',
  'Daniela',
  'Eduarda',
  'Fernanda',
  'Gabriela',
  'Helena',
  'Isabela',
  'Juliana',
  'Larissa',
  'Mariana',
  'Natália',
  'Patrícia',
  'Renata',
  'Sofia',
  'Tatiane',
  'Vitória',
  'André',
  'Bruno',
  'Caio',
  'Diego',
  'Eduardo',
  'Felipe',
  'Gustavo',
  'Henrique',
  'Igor',
  'João',
  'Lucas',
  'Marcelo',
  'Otávio',
  'Paulo',
  'Rafael',
  'Sérgio',
  'Thiago',
  'Vinícius',
  'Wagner',
  'Yuri',
]
export const lastNames = [
  'Almeida',
  'Araújo',
  'Barbosa',
  'Cardoso',
  'Carvalho',
  'Conceição',
  'Costa',
  'Dias',
  'Ferreira',
  'Gomes',
  'Gonçalves',
  'Lima',
  'Lopes',
  'Martins',
  'Mendes',
  'Moreira',
  'Nascimento',
  'Oliveira',
  'Pereira',
  'Ribeiro',
  'Rocha',
  'Santos',
  'Silva',
  'Souza',
  'Teixeira',
  'Vieira',
]
export const areaCodes = ['11', '21', '31', '41', '51', '61', '71', '81', '85', '92']

/** The n-th person, the same on every run. */
export const personOf = (n: number) => {
  const first = firstNames[n % firstNames.length] ?? 'Ana'
  const last = lastNames[(n * 7) % lastNames.length] ?? 'Silva'
  const second = lastNames[(n * 11 + 5) % lastNames.length] ?? 'Souza'
  return {
    first,
    name: `${first} ${second} ${last}`,
    number: `55${areaCodes[n % areaCodes.length]}9${String(70_000_000 + n * 7_919).slice(-8)}`,
  }
}

type Line = { from: 'them' | 'us'; text: string }
const talk = (...lines: string[]): Line[] => lines.map((text, index) => ({ from: index % 2 ? 'us' : 'them', text }))

export const shopTalks: Line[][] = [
  talk(
    'Oi, bom dia! Meu pedido 48213 ainda não chegou, vocês conseguem ver?',
    'Bom dia! Claro, um instante que já consulto.',
    'Obrigada!',
    'Ele saiu para entrega hoje cedo e deve chegar até as 18h.',
    'Maravilha, fico no aguardo!',
  ),
  talk(
    'Vocês têm esse tênis no 38?',
    'Temos sim! Branco e preto. Quer que eu separe?',
    'Separa o branco por favor 🙏',
    'Separado. Prefere retirar na loja ou entrega?',
  ),
  talk(
    'Boa tarde, queria trocar uma camisa que veio grande',
    'Boa tarde! Sem problema, a troca é gratuita em até 30 dias. Qual o número do pedido?',
    '50177',
  ),
  talk(
    'Qual o prazo de entrega pra Manaus?',
    'Para Manaus fica entre 7 e 10 dias úteis, com frete a partir de R$ 39,90.',
    'Ok, vou pensar. Obrigado!',
  ),
  talk(
    'O cupom BEMVINDO10 não funcionou',
    'Que chato! Ele vale para a primeira compra acima de R$ 100. Posso conferir no seu cadastro?',
    'Pode, meu e-mail é o mesmo do WhatsApp',
  ),
  talk('Vocês abrem no feriado?'),
  talk(
    'Recebi o produto com defeito, a alça veio descosturada',
    'Sinto muito por isso! Pode me mandar uma foto?',
    'Já mando',
  ),
  talk('Parcela em quantas vezes?', 'Em até 6x sem juros no cartão.', 'Perfeito, vou fechar então'),
  talk(
    'Oi! Esqueci minha senha do site',
    'Oi! Enviamos agora um link para o seu e-mail, vale por 1 hora.',
    'Chegou, deu certo. Valeu!',
  ),
  talk('Bom dia, tem como mudar o endereço do pedido 51002?'),
]
export const clinicTalks: Line[][] = [
  talk(
    'Bom dia, gostaria de marcar uma consulta com a dermatologista',
    'Bom dia! Temos horário na quinta às 14h30 ou na sexta às 9h.',
    'Sexta às 9h, por favor',
    'Marcado! Traga um documento e a carteirinha do convênio.',
  ),
  talk('Vocês atendem Unimed?', 'Atendemos sim, em todas as especialidades.', 'Ótimo, obrigada'),
  talk('Preciso remarcar meu exame de amanhã'),
  talk(
    'O resultado do exame da minha mãe já saiu?',
    'Qual o nome completo dela e a data do exame?',
    'Helena Martins, dia 12',
  ),
  talk('É preciso jejum para o exame de sangue?', 'Sim, de 8 horas. Água pode tomar à vontade.', 'Entendi, obrigado!'),
]
