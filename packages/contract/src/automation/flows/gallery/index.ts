import type { FlowGraph } from '../graph.ts'
import { ask, close, drawn, grade, hours, menu, person, say, total, when } from './write.ts'

/** A flow that runs as it is, for a trade: nothing in it names a row of the company. */
export type ReadyFlow = { key: string; name: string; trade: string; description: string; graph: () => FlowGraph }

const toTeam = 'Obrigado, {{primeiro_nome}}! Já passei tudo para a nossa equipe, que continua por aqui.'
const silent = {
  silence: {
    minutes: 30,
    to: null,
    message: '',
    warning: '{{primeiro_nome}}, você ainda está por aí? É só responder por aqui.',
  },
}

export const readyFlows: ReadyFlow[] = [
  {
    key: 'clinica',
    name: 'Clínica: agendamento e exames',
    trade: 'Clínicas e consultórios',
    description:
      'Recebe o paciente, separa consulta, exame e resultado, e pede nome, CPF e convênio antes da recepção.',
    graph: () =>
      drawn(
        {
          menu: menu(
            '{{saudacao}}! Como a clínica pode ajudar?',
            [
              ['Agendar consulta', 'nome', 'consulta', 'marcar', 'agendar'],
              ['Exames', 'exame', 'exame'],
              ['Resultado de exame', 'cpf', 'resultado', 'laudo'],
              ['Outro assunto', 'equipe'],
            ],
            'assunto',
          ),
          nome: ask('name', 'nome', 'Qual é o nome completo do paciente?', 'convenio', 'name'),
          convenio: menu(
            'O atendimento é por convênio ou particular?',
            [
              ['Convênio', 'plano', 'plano'],
              ['Particular', 'dia'],
            ],
            'forma',
          ),
          plano: ask('text', 'plano', 'Qual é o convênio?', 'dia'),
          dia: ask('date', 'dia', 'Para qual dia você gostaria? Escreva como dia/mês.', 'periodo'),
          periodo: menu(
            'Em qual período?',
            [
              ['Manhã', 'equipe'],
              ['Tarde', 'equipe'],
              ['Tanto faz', 'equipe'],
            ],
            'periodo',
          ),
          exame: ask(
            'text',
            'exame',
            'Qual exame você precisa fazer? Se tiver o pedido médico, escreva o que está nele.',
            'nome',
          ),
          cpf: ask('cpf', 'cpf', 'Informe o CPF do paciente, por favor.', 'equipe', 'document'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'odontologia',
    name: 'Dentista: dor, avaliação e retorno',
    trade: 'Odontologia',
    description: 'Põe quem está com dor na frente, marca avaliação e confirma retornos.',
    graph: () =>
      drawn(
        {
          menu: menu(
            '{{saudacao}}, {{primeiro_nome}}! Sobre o que vamos falar?',
            [
              ['Estou com dor', 'dor', 'urgencia', 'dor de dente'],
              ['Avaliação', 'avaliacao', 'orçamento', 'aparelho', 'clareamento'],
              ['Retorno', 'retorno'],
            ],
            'assunto',
          ),
          dor: ask('number', 'dor', 'De 0 a 10, quanto dói agora?', 'desde'),
          desde: ask('text', 'desde', 'Desde quando? Tem inchaço ou febre?', 'urgente'),
          urgente: person('Entendi. Vamos ver o primeiro horário livre para você e já respondemos.'),
          avaliacao: ask('text', 'interesse', 'O que você gostaria de avaliar?', 'dia'),
          retorno: ask('text', 'retorno', 'Qual tratamento você está fazendo?', 'dia'),
          dia: ask('date', 'dia', 'Qual dia é melhor para você?', 'equipe'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'loja',
    name: 'Loja: pedido, troca e rastreio',
    trade: 'Comércio',
    description: 'Separa quem quer comprar de quem já comprou, e pede o número do pedido antes do atendente.',
    graph: () =>
      drawn(
        {
          menu: menu(
            'Oi, {{primeiro_nome}}! Que bom ter você aqui. O que você procura?',
            [
              ['Comprar', 'produto', 'preço', 'valor', 'tem'],
              ['Meu pedido', 'pedido', 'rastreio', 'entrega', 'chegou'],
              ['Troca ou devolução', 'troca', 'trocar', 'defeito'],
            ],
            'assunto',
          ),
          produto: ask('text', 'produto', 'Me conta o que você procura: produto, tamanho, cor…', 'quando'),
          quando: hours('vendedor', 'fechado'),
          vendedor: person('Perfeito! Um vendedor já responde com as opções.'),
          fechado: say('Nossa equipe está fora do horário agora, mas o seu pedido ficou anotado.', 'vendedor'),
          pedido: ask('text', 'pedido', 'Qual é o número do pedido? Ele está no e-mail de confirmação.', 'equipe'),
          troca: ask('text', 'pedido', 'Qual é o número do pedido?', 'motivo'),
          motivo: menu(
            'Por que você quer trocar?',
            [
              ['Tamanho', 'equipe'],
              ['Defeito', 'foto'],
              ['Não gostei', 'equipe'],
            ],
            'motivo',
          ),
          foto: ask('file', 'foto', 'Envie uma foto do defeito, por favor.', 'equipe'),
          equipe: person(toTeam),
        },
        { ...silent, outOfHours: { does: 'continue', to: null } },
      ),
  },
  {
    key: 'restaurante',
    name: 'Restaurante: delivery e reserva',
    trade: 'Restaurantes e delivery',
    description: 'Anota o pedido com endereço, ou a reserva com dia, hora e número de pessoas.',
    graph: () =>
      drawn(
        {
          aberto: hours('menu', 'fechado'),
          fechado: say(
            'Estamos fechados agora. Você já pode deixar o pedido ou a reserva para quando abrirmos.',
            'menu',
          ),
          menu: menu(
            '{{saudacao}}! O que vai ser hoje?',
            [
              ['Fazer pedido', 'pedido', 'pedir', 'delivery', 'cardapio'],
              ['Reservar mesa', 'dia', 'reserva', 'mesa'],
              ['Falar com a gente', 'equipe'],
            ],
            'assunto',
          ),
          pedido: ask('text', 'pedido', 'Pode escrever o pedido, com quantidades e observações.', 'entrega'),
          entrega: menu(
            'É para entregar ou retirar?',
            [
              ['Entregar', 'endereco', 'entrega'],
              ['Retirar', 'pagamento', 'retirada', 'busco'],
            ],
            'entrega',
          ),
          endereco: ask('text', 'endereco', 'Qual é o endereço completo, com bairro e complemento?', 'pagamento'),
          pagamento: menu(
            'Como você prefere pagar?',
            [
              ['Pix', 'cozinha'],
              ['Cartão', 'cozinha'],
              ['Dinheiro', 'troco'],
            ],
            'pagamento',
          ),
          troco: ask('number', 'troco', 'Troco para quanto?', 'cozinha'),
          cozinha: person('Pedido anotado! Já confirmamos o valor e o tempo de entrega.'),
          dia: ask('date', 'dia', 'Para qual dia é a reserva?', 'hora'),
          hora: ask('text', 'hora', 'Que horas?', 'pessoas'),
          pessoas: ask('number', 'pessoas', 'Para quantas pessoas?', 'equipe'),
          equipe: person(toTeam),
        },
        { ...silent, outOfHours: { does: 'continue', to: null } },
      ),
  },
  {
    key: 'escola',
    name: 'Escola: matrícula e secretaria',
    trade: 'Escolas e cursos',
    description: 'Acolhe quem quer conhecer a escola e encaminha famílias à secretaria ou ao financeiro.',
    graph: () =>
      drawn(
        {
          menu: menu(
            '{{saudacao}}! Como podemos ajudar?',
            [
              ['Conhecer a escola', 'aluno', 'matricula', 'vaga', 'visita'],
              ['Secretaria', 'serie', 'declaração', 'boletim', 'historico'],
              ['Financeiro', 'cpf', 'boleto', 'mensalidade'],
              ['Outro assunto', 'equipe'],
            ],
            'assunto',
          ),
          aluno: ask('name', 'aluno', 'Qual é o nome do aluno?', 'nascimento'),
          nascimento: ask('date', 'nascimento', 'E a data de nascimento?', 'turno'),
          turno: menu(
            'Qual turno interessa?',
            [
              ['Manhã', 'visita'],
              ['Tarde', 'visita'],
              ['Integral', 'visita'],
            ],
            'turno',
          ),
          visita: menu(
            'Gostaria de agendar uma visita?',
            [
              ['Sim', 'dia'],
              ['Agora não', 'equipe', 'não'],
            ],
            'visita',
          ),
          dia: ask('date', 'dia', 'Qual dia é bom para você?', 'equipe'),
          serie: ask('text', 'turma', 'Informe o nome do aluno e a turma, por favor.', 'equipe'),
          cpf: ask('cpf', 'cpf', 'Informe o CPF do responsável financeiro, por favor.', 'equipe', 'document'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'oficina',
    name: 'Oficina: orçamento e revisão',
    trade: 'Oficinas mecânicas',
    description: 'Pede carro, placa e problema, com foto se houver, antes de passar ao mecânico.',
    graph: () =>
      drawn(
        {
          menu: menu(
            'Opa, {{primeiro_nome}}! O que o carro precisa?',
            [
              ['Orçamento', 'carro', 'conserto', 'barulho'],
              ['Revisão', 'carro', 'revisao', 'troca de oleo'],
              ['Meu carro está aí', 'placa', 'ficou pronto', 'andamento'],
            ],
            'assunto',
          ),
          carro: ask('text', 'carro', 'Qual é o modelo e o ano do carro?', 'km'),
          km: ask('number', 'km', 'Quantos quilômetros rodados, mais ou menos?', 'problema'),
          problema: ask('text', 'problema', 'O que está acontecendo? Se for só revisão, escreva “revisão”.', 'foto'),
          foto: menu(
            'Quer mandar uma foto do painel ou da peça?',
            [
              ['Sim', 'imagem'],
              ['Não', 'equipe'],
            ],
            'tem_foto',
          ),
          imagem: ask('file', 'imagem', 'Pode enviar.', 'equipe'),
          placa: ask('text', 'placa', 'Qual é a placa?', 'equipe'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'salao',
    name: 'Salão: horários e serviços',
    trade: 'Beleza e estética',
    description: 'Escolhe serviço, profissional e dia, e deixa a confirmação para a recepção.',
    graph: () =>
      drawn(
        {
          menu: menu(
            'Oi, {{primeiro_nome}}! Vamos marcar?',
            [
              ['Cabelo', 'servico', 'corte', 'escova', 'coloração'],
              ['Unhas', 'servico', 'manicure', 'pedicure'],
              ['Estética', 'servico', 'depilação', 'limpeza de pele', 'sobrancelha'],
              ['Remarcar ou cancelar', 'remarcar', 'desmarcar', 'cancelar'],
            ],
            'area',
          ),
          servico: ask('text', 'servico', 'Qual serviço você quer fazer?', 'preferencia'),
          preferencia: menu(
            'Tem preferência de profissional?',
            [
              ['Sim', 'profissional'],
              ['Tanto faz', 'dia', 'não'],
            ],
            'preferencia',
          ),
          profissional: ask('text', 'profissional', 'Com quem?', 'dia'),
          dia: ask('date', 'dia', 'Qual dia?', 'hora'),
          hora: ask('text', 'hora', 'E o melhor horário?', 'equipe'),
          remarcar: ask('date', 'dia_marcado', 'Para qual dia está marcado?', 'equipe'),
          equipe: person('Anotado! A recepção confirma o horário em seguida.'),
        },
        silent,
      ),
  },
  {
    key: 'imobiliaria',
    name: 'Imobiliária: comprar, alugar, visitar',
    trade: 'Imobiliárias',
    description: 'Descobre o que a pessoa procura, quanto pode pagar e onde, e separa quem já é cliente.',
    graph: () =>
      drawn(
        {
          menu: menu(
            '{{saudacao}}! Sou o atendimento da imobiliária. O que você procura?',
            [
              ['Alugar', 'bairro', 'aluguel', 'locação'],
              ['Comprar', 'bairro', 'compra'],
              ['Anunciar imóvel', 'endereco', 'vender', 'anunciar'],
              ['Já sou cliente', 'cliente', 'inquilino', 'boleto', 'contrato'],
            ],
            'objetivo',
          ),
          bairro: ask('text', 'bairro', 'Em qual bairro ou região?', 'quartos'),
          quartos: menu(
            'Quantos quartos?',
            [
              ['1', 'valor'],
              ['2', 'valor'],
              ['3 ou mais', 'valor', '3', '4'],
            ],
            'quartos',
          ),
          valor: ask('number', 'valor', 'Até quanto você pretende pagar, em reais?', 'email'),
          email: ask('email', 'email', 'Para qual e-mail enviamos as opções?', 'equipe', 'email'),
          endereco: ask('text', 'endereco', 'Qual é o endereço do imóvel?', 'equipe'),
          cliente: ask('cpf', 'cpf', 'Informe o CPF do contrato, por favor.', 'equipe', 'document'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'academia',
    name: 'Academia: aula experimental e planos',
    trade: 'Academias e estúdios',
    description: 'Calcula o plano, marca a aula experimental e chama de volta quem quer cancelar.',
    graph: () =>
      drawn(
        {
          menu: menu(
            'Bora treinar, {{primeiro_nome}}? Como posso ajudar?',
            [
              ['Conhecer os planos', 'meses', 'preço', 'valor', 'plano'],
              ['Aula experimental', 'modalidade', 'experimental'],
              ['Já sou aluno', 'aluno', 'cancelar', 'trancar'],
            ],
            'assunto',
          ),
          meses: menu(
            'Por quanto tempo você pensa em treinar?',
            [
              ['1 mês', 'mensal'],
              ['6 meses', 'semestral'],
              ['12 meses', 'anual'],
            ],
            'tempo',
          ),
          mensal: total('plano', '129,90', 'oferta'),
          semestral: total('plano', '129,90 * 0,9', 'oferta'),
          anual: total('plano', 'arredondar(129,90 * 0,8; 2)', 'oferta'),
          oferta: say('Nesse plano fica R$ {{var.plano}} por mês. Que tal experimentar antes?', 'modalidade'),
          modalidade: menu(
            'Qual modalidade?',
            [
              ['Musculação', 'dia'],
              ['Funcional', 'dia'],
              ['Dança', 'dia'],
            ],
            'modalidade',
          ),
          dia: ask('date', 'dia', 'Qual dia você pode vir?', 'equipe'),
          aluno: ask('text', 'pedido', 'Me conta o que você precisa.', 'equipe'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'provedor',
    name: 'Internet: suporte e segunda via',
    trade: 'Provedores e suporte técnico',
    description: 'Guia o cliente pelo reinício do equipamento, abre o chamado se não resolver e pede uma nota.',
    graph: () =>
      drawn(
        {
          cpf: ask(
            'cpf',
            'cpf',
            '{{saudacao}}! Para começar, informe o CPF do titular, por favor.',
            'menu',
            'document',
          ),
          menu: menu(
            'Obrigado! O que está acontecendo?',
            [
              ['Sem internet', 'luz', 'sem sinal', 'caiu'],
              ['Internet lenta', 'reinicio', 'lenta', 'lentidão'],
              ['Segunda via', 'equipe', 'boleto', 'fatura'],
              ['Mudar de plano', 'equipe', 'plano', 'contratar'],
            ],
            'problema',
          ),
          luz: menu(
            'Tem alguma luz vermelha no equipamento?',
            [
              ['Sim', 'chamado'],
              ['Não', 'reinicio'],
            ],
            'luz',
          ),
          reinicio: say(
            'Vamos tentar reiniciar: tire o equipamento da tomada, conte até dez e ligue de novo.',
            'espera',
          ),
          espera: menu(
            'Depois que as luzes voltarem, a internet funcionou?',
            [
              ['Funcionou', 'nota', 'sim', 'voltou'],
              ['Ainda não', 'chamado', 'não'],
            ],
            'resolveu',
          ),
          nota: grade('avaliado'),
          avaliado: when(
            'nota',
            [
              ['1', 'chamado'],
              ['2', 'chamado'],
            ],
            'fim',
          ),
          fim: close('Que bom! Qualquer coisa, é só chamar.'),
          chamado: ask('phone', 'telefone', 'Vou abrir um chamado. Qual telefone o técnico pode usar?', 'equipe'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
  {
    key: 'petshop',
    name: 'Pet shop: banho, vacina e urgência',
    trade: 'Pet shops e veterinárias',
    description: 'Marca banho e vacina com os dados do animal e põe urgências na frente.',
    graph: () =>
      drawn(
        {
          menu: menu(
            'Oi! Aqui é o atendimento do pet. O que o seu amigo precisa?',
            [
              ['Banho e tosa', 'pet', 'banho', 'tosa'],
              ['Vacina ou consulta', 'pet', 'vacina', 'veterinário'],
              ['Urgência', 'urgencia', 'emergência', 'passando mal'],
            ],
            'assunto',
          ),
          pet: ask('text', 'pet', 'Qual é o nome, a raça e o porte dele?', 'dia'),
          dia: ask('date', 'dia', 'Para qual dia?', 'equipe'),
          urgencia: ask('text', 'sintomas', 'O que está acontecendo? Conte em poucas palavras.', 'agora'),
          agora: person('Entendi. O veterinário de plantão já vai falar com você.'),
          equipe: person(toTeam),
        },
        silent,
      ),
  },
]

export const readyFlowOf = (key: string): ReadyFlow | undefined => readyFlows.find((one) => one.key === key)
