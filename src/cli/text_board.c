#include "cli/text_board.h"

#include "cli/message.h"
#include "cli/terminal.h"

#include <unistd.h>

/* The text of a square. It is two columns of a terminal wide, which looks about square. */
struct signs {
    const char *light, *dark, *queen, *marked;
};

static const struct signs signs[] = {
    [TEXT_PLAIN] = {". ", ". ", "Q ", "X "},
    [TEXT_UNICODE] = {"□ ", "■ ", "♛ ", "✗ "},
    [TEXT_COLOURED] = {"  ", "  ", "♛ ", "♛ "},
};

/* Of a terminal's 256 colours: squares of sand and wood, black queens, red marked ones. */
static const char light_ground[] = "\033[48;5;187m", dark_ground[] = "\033[48;5;137m",
                  black[] = "\033[38;5;16m", red[] = "\033[1;38;5;160m", normal[] = "\033[0m";

void text_board_print(int n, const int *columns, const bool *marked, enum text_style style,
                      FILE *stream) {
    const struct signs *sign = &signs[style];
    for (int row = 1; row <= n; row++) {
        bool mark = marked != NULL && marked[row - 1];
        for (int column = 1; column <= n; column++) {
            bool dark = (row + column) % 2 == 1, queen = columns[row - 1] == column;
            const char *text =
                queen ? (mark ? sign->marked : sign->queen) : (dark ? sign->dark : sign->light);
            if (style == TEXT_COLOURED)
                fprintf(stream, "%s%s%s", dark ? dark_ground : light_ground, mark ? red : black,
                        text);
            else if (column < n)
                fputs(text, stream);
            else /* no blank at the end of the line */
                for (; *text != ' '; text++)
                    putc(*text, stream);
        }
        fprintf(stream, "%s\n", style == TEXT_COLOURED ? normal : "");
    }
}

void text_board_say_width(int n, enum text_style style) {
    const int width = style == TEXT_COLOURED ? 2 * n : 2 * n - 1,
              columns = terminal_columns(STDOUT_FILENO);
    if (columns > 0 && width > columns)
        message(
            "a board of %d columns is %d characters wide, and this terminal %d: it breaks the "
            "lines",
            n, width, columns);
}
