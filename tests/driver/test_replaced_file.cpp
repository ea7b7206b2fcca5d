#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "driver/files/replaced_file.h"

namespace quadrille::driver {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a file that is not kept leaves the old one and nothing beside it") {
  const Folder folder;
  std::ofstream(folder / "a") << "old";
  replace_file(folder / "a")->write("new");
  CHECK(text_of(folder / "a") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a kept file takes the old one's place and permissions") {
  const Folder folder;
  std::ofstream(folder / "a") << "old";
  std::filesystem::permissions(folder / "a", std::filesystem::perms(0640));
  const auto file = replace_file(folder / "a");
  CHECK(file->write("n"));
  CHECK(file->write("ew"));
  CHECK(text_of(folder / "a") == "old");
  CHECK_FALSE(file->keep());
  CHECK(text_of(folder / "a") == "new");
  CHECK(std::filesystem::status(folder / "a").permissions() == std::filesystem::perms(0640));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a link stays a link") {
  const Folder folder;
  std::ofstream(folder / "a") << "old";
  std::filesystem::create_symlink("a", folder / "b");
  const auto file = replace_file(folder / "b");
  file->write("new");
  CHECK_FALSE(file->keep());
  CHECK(std::filesystem::is_symlink(folder / "b"));
  CHECK(text_of(folder / "a") == "new");
}

TEST_CASE("what cannot be written is said") {
  const Folder folder;
  const auto nowhere = replace_file(folder / "missing/a");
  CHECK_FALSE(nowhere->write("new"));
  CHECK(nowhere->keep() == "No such file or directory");
  const auto full = replace_file("/dev/full");
  full->write("new");
  CHECK(full->keep() == "No space left on device");
  CHECK(std::filesystem::exists("/dev/full"));
}

}  // namespace
}  // namespace quadrille::driver
